import type { OutputStream } from '../process/command-io.ts'

export type Style = (text: string) => string

export interface Styles {
  readonly dim: Style
  readonly bold: Style
  readonly accent: Style
  readonly warning: Style
  readonly error: Style
}

const plain: Style = text => text
const ansi =
  (on: number, off: number): Style =>
  text =>
    `\u001b[${on}m${text}\u001b[${off}m`

/** Returns whether a stream is a terminal that understands cursor movements. */
export const isTerminal = (stream: OutputStream, env: Readonly<Record<string, string | undefined>>): boolean =>
  stream.isTTY === true && env.TERM !== 'dumb'

/** Colors on a terminal, unless `NO_COLOR` is set (no-color.org). */
export const stylesFor = (stream: OutputStream, env: Readonly<Record<string, string | undefined>>): Styles =>
  isTerminal(stream, env) && !env.NO_COLOR
    ? { dim: ansi(2, 22), bold: ansi(1, 22), accent: ansi(36, 39), warning: ansi(33, 39), error: ansi(31, 39) }
    : { dim: plain, bold: plain, accent: plain, warning: plain, error: plain }

/** Returns the style of a plugin's state. */
export const styleOfState = (state: string, { accent, dim, warning, error }: Styles): Style => {
  if (state === 'excluded') return dim
  if (state === 'failed') return error
  return state === 'degraded' || state === 'pending' ? warning : accent
}
