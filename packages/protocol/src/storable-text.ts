/** Text that any database can keep. */
export const storable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
