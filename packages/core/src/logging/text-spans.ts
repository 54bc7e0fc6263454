import { type Hue, paint } from '@sibyl/telemetry'

/** A piece of a line with its colour. */
export interface Span {
  readonly text: string
  readonly hue?: Hue
}

/** A piece of a line. */
export const span = (text: string, hue?: Hue): Span => (hue === undefined ? { text } : { text, hue })

/** Returns the length of a line in characters, without colors. */
export const spanLength = (spans: readonly Span[]): number =>
  spans.reduce((length, { text }) => length + [...text].length, 0)

/** Returns a line as text. */
export const joinSpans = (spans: readonly Span[], colour: boolean): string => {
  const brush = paint(colour)
  return spans
    .map(({ text, hue }) => (hue === undefined ? text : brush.text(hue, text)))
    .join('')
    .trimEnd()
}

/**
 * Breaks a line at spaces so that no part is wider than `width`, unless it is one word. Continuation lines start with
 * `indent` spaces.
 */
export const wrapSpans = (spans: readonly Span[], width: number, indent: number): Span[][] => {
  if (spanLength(spans) <= width) return [[...spans]]
  const lines: Span[][] = [[]]
  let used = 0
  let gap = ''
  for (const { text, hue } of spans.flatMap(splitWords)) {
    if (text.trim() === '') {
      gap += text
      continue
    }
    const length = [...text].length
    const fresh = used === 0 || (lines.length > 1 && used === indent)
    if (!fresh && gap !== '' && used + gap.length + length > width) {
      lines.push([span(' '.repeat(indent))])
      used = indent
      gap = ''
    }
    lines.at(-1)!.push(span(gap), span(text, hue))
    used += gap.length + length
    gap = ''
  }
  return lines
}

/** Splits a text into words and spaces; a short pair of brackets is one word. */
const splitWords = ({ text, hue }: Span): Span[] =>
  (text.match(/[({][^(){}]{1,40}[)}]\S*|\s+|\S+/g) ?? []).map(part => span(part, hue))
