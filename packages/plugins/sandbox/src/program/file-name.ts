const segment = /^[\p{L}\p{N}_ ()@+-][\p{L}\p{N}_ ()@+.-]*$/u

/** The longest name of a file, in characters. */
export const maxFileName = 120

/**
 * Whether a file of a program may have a name: a relative path of letters, digits and `_ - . + @ ( )`, no part of which begins
 * with a dot, so that no name leads anywhere else.
 *
 * @example isFileName('data/points.csv') // true
 */
export const isFileName = (name: string): boolean =>
  name.length <= maxFileName && name.split('/').every(part => segment.test(part) && part.trim() === part)
