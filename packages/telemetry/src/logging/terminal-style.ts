/** The 16 colors of every terminal, in its own theme. */
const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const

/** A color or weight of terminal text. */
export type Hue = keyof typeof codes

/** Returns functions that color a text, or leave it unchanged. */
export const paint = (colour: boolean) => {
  const text = (hue: Hue, value: string): string =>
    colour && value !== '' ? `\u001b[${codes[hue][0]}m${value}\u001b[${codes[hue][1]}m` : value
  return { text, dim: (value: string) => text('dim', value), bold: (value: string) => text('bold', value) }
}

/** An output stream for readable lines: `process.stdout`, or a replacement. */
export interface TextOutput {
  write(text: string): unknown
  readonly isTTY?: boolean
  /** The width of the terminal in characters. */
  readonly columns?: number
}

/** Returns whether to use colors: only on a terminal that supports them, and never with NO_COLOR set (no-color.org). */
export const wantsColour = (
  output: Pick<TextOutput, 'isTTY'>,
  env: Readonly<Record<string, string | undefined>>,
): boolean => output.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
