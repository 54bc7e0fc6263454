import type { Style, Styles } from './styles.ts'

const opening = /^(["'“(]*)\*\*(?=\S)/
const closing = /(?<=\S)\*\*(["'”).,;:!?]*)$/

/**
 * Returns a style for the words of a Markdown text, which arrive one by one: headings and strong text are bold, code has a color,
 * and items of lists have a bullet. Their marks are not printed. Without colors the text stays as it is.
 */
export const markdownStyle = ({ bold, accent, dim }: Styles): Style => {
  if (bold('x') === 'x') return text => text
  let isStrong = false
  let isCode = false
  let isHeading = false
  let isFenced = false
  let isAtStart = true
  let isAfterMark = false

  const inline = (word: string): string => {
    const opened = isCode ? word : word.replace(opening, '$1')
    if (opened !== word) isStrong = true
    const closed = isCode || !isStrong ? opened : opened.replace(closing, '$1')
    const parts = closed.split('`').map((part, index) => {
      if (index > 0) isCode = !isCode
      return part === '' ? '' : isCode ? accent(part) : isStrong || isHeading ? bold(part) : part
    })
    if (closed !== opened) isStrong = false
    return parts.join('')
  }

  return text => {
    if (text.includes('\n')) {
      isAtStart = true
      isStrong = isCode = isHeading = isAfterMark = false
      return text
    }
    const word = text.trimStart()
    const spaces = isAfterMark ? '' : text.slice(0, text.length - word.length)
    const begins = isAtStart
    isAtStart = isAfterMark = false
    if (begins && word.startsWith('```')) {
      isFenced = !isFenced
      return spaces + dim(word)
    }
    if (isFenced) return spaces + accent(word)
    if (begins && /^#{1,6}$/.test(word)) {
      isHeading = isAfterMark = true
      return ''
    }
    if (begins && /^[*-]$/.test(word)) return `${spaces}•`
    return spaces + inline(word)
  }
}
