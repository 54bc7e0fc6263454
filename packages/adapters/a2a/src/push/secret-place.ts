/** Returns the place of a receiver's credentials, which their encryption is bound to. */
export const secretPlace = (task: string, id: string): string => JSON.stringify([task, id])
