/** Returns a text as one word of a shell, in single quotes unless it has plain characters alone. */
export const shellText = (text: string): string =>
  /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
