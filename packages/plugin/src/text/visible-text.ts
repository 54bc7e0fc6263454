/** Control and format characters; not line breaks, and not those that join letters and emoji. */
const invisible = /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}]/gu

/** Removes invisible characters from text of others; unpaired surrogates are replaced. */
export const visibleText = (text: string): string => text.toWellFormed().replace(invisible, '')
