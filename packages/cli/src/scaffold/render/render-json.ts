/** A value as the text of a JSON file. */
export const renderJson = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`
