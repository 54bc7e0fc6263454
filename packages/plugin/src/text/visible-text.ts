/** Control and format characters; not line breaks, and not those that join letters and emoji. */
const invisible = /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}]/gu

/** A text that somebody else wrote, without characters that nobody sees; halves of characters are replaced. */
export const visibleText = (text: string): string => text.toWellFormed().replace(invisible, '')
