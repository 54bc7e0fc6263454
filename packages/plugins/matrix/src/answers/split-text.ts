/**
 * Maximum length of a message, for readability, and because an edit contains its text twice and must stay under 64 KiB.
 */
export const maxCharacters = 4_000

/**
 * Splits a text into messages, at paragraphs if possible, else at lines, sentences or words. The beginning of a growing
 * text is always split the same way.
 */
export const splitText = (text: string): string[] => {
  const parts: string[] = []
  let rest = text.trim()
  while (rest.length > maxCharacters) {
    const end = borderOf(rest.slice(0, maxCharacters))
    parts.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return rest === '' && parts.length > 0 ? parts : [...parts, rest]
}

/**
 * Splits Markdown as `splitText` does. A code block that is split is closed in one message and opened again in the
 * next.
 *
 * @param options.isWhole True for complete text: a code block that is open at the end is closed.
 */
export const splitMarkdown = (text: string, { isWhole = false } = {}): string[] => {
  const parts: string[] = []
  let rest = text.trim()
  while (rest.length > maxCharacters) {
    const end = borderOf(rest.slice(0, maxCharacters - longestFence - 1))
    const part = rest.slice(0, end).trimEnd()
    const fence = openFence(part)
    parts.push(fence ? `${part}\n${fence.closed}` : part)
    const next = rest.slice(end)
    rest = fence ? `${fence.opened}\n${withoutIndent(next.replace(/^\n+/, ''), fence)}` : next.trimStart()
  }
  const last = isWhole ? openFence(rest) : undefined
  if (last) rest = `${rest}\n${last.closed}`
  return rest === '' && parts.length > 0 ? parts : [...parts, rest]
}

/** Maximum number of marks that open a code block. */
const longestFence = 20

/** A code block that is open at the end of a text. */
interface Fence {
  /** Opens it again: its marks and language. */
  readonly opened: string
  /** Closes it: its marks, with the same indentation. */
  readonly closed: string
  /** Indentation within a list, in characters. */
  readonly indent: number
  readonly marks: string
}

const opening = new RegExp(
  `^([ \\t]*(?:(?:[-*+]|\\d{1,9}[.)])[ \\t]+)*)(\`{3,${longestFence}}|~{3,${longestFence}})(.*)$`,
)

const openFence = (text: string): Fence | undefined => {
  let open: Fence | undefined
  for (const line of text.split('\n')) {
    if (open) {
      if (closes(line, open.marks)) open = undefined
      continue
    }
    const [, before = '', marks, language = ''] = opening.exec(line) ?? []
    if (
      marks === undefined ||
      language.startsWith(marks.charAt(0)) ||
      (marks.startsWith('`') && language.includes('`'))
    )
      continue
    const indent = before.length
    const spoken = /^\s*[\w+#.-]{1,40}/.exec(language)?.[0].trim() ?? ''
    open = { opened: `${marks}${spoken}`, closed: `${' '.repeat(indent)}${marks}`, indent, marks }
  }
  return open
}

/** Returns whether a line closes a code block: it has at least as many of the same marks. */
const closes = (line: string, marks: string): boolean => {
  const text = line.trim()
  return text.length >= marks.length && text === marks.charAt(0).repeat(text.length)
}

/** Removes the list indentation from the rest of a code block. */
const withoutIndent = (text: string, { indent, marks }: Fence): string => {
  if (indent === 0) return text
  const lines = text.split('\n')
  const end = lines.findIndex(line => closes(line, marks))
  const inside = end < 0 ? lines.length : end + 1
  const further = (line: string) => line.slice(Math.min(indent, line.length - line.trimStart().length))
  return lines.map((line, place) => (place < inside ? further(line) : line)).join('\n')
}

/** Returns the position of a split in the second half of a text. */
const borderOf = (text: string): number => {
  for (const border of ['\n\n', '\n', '. ', ' ']) {
    const place = text.lastIndexOf(border)
    if (place >= text.length / 2) return place + border.length
  }
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length
}
