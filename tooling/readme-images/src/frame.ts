/** A run of characters with one style. */
export interface Run {
  readonly text: string
  /** One of the sixteen colors of a terminal; undefined for the color of the text. */
  readonly color?: number
  readonly bold?: boolean
  readonly dim?: boolean
}

/** A line of the screen. */
export type Row = readonly Run[]

/** The screen of a terminal at one time. */
export interface Frame {
  /** Milliseconds since the beginning of the recording. */
  readonly at: number
  readonly rows: readonly Row[]
}

/** The characters of a row without its styles. */
export const textOf = (row: Row): string =>
  row
    .map(({ text }) => text)
    .join('')
    .trimEnd()
