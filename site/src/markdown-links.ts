/** Returns the replacement of a link's target; undefined leaves the text of the link without a link. */
export type ReplaceTarget = (target: string) => string | undefined

/** Replaces the targets of the links and images of a page, outside code; also of images written as HTML. */
export const replaceLinks = (markdown: string, replace: ReplaceTarget): string =>
  splitAtFences(markdown)
    .map(({ text, isCode }) => (isCode ? text : replaceInText(text, replace)))
    .join('\n')

/** Returns the code blocks of a page and the text between them, each without the line break after it. */
const splitAtFences = (markdown: string): { readonly text: string; readonly isCode: boolean }[] => {
  const parts: { lines: string[]; isCode: boolean }[] = [{ lines: [], isCode: false }]
  let open: string | undefined
  for (const line of markdown.split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    const opens = mark !== undefined && open === undefined
    if (opens) parts.push({ lines: [], isCode: true })
    parts.at(-1)!.lines.push(line)
    if (opens) open = mark
    else if (mark !== undefined && open !== undefined && mark.startsWith(open)) {
      open = undefined
      parts.push({ lines: [], isCode: false })
    }
  }
  return parts.filter(({ lines }) => lines.length > 0).map(({ lines, isCode }) => ({ text: lines.join('\n'), isCode }))
}

const codeSpan = /(`+)[^`].*?\1/g
const inline = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(\s*([^)\s]+)([^)]*)\)/g
const htmlImage = /(<img[^>]*\ssrc=")([^"]+)"/g

/** Code spans stand aside as `\0<n>\0` meanwhile: the text of a link may hold one, and one may look like a link. */
const replaceInText = (text: string, replace: ReplaceTarget): string => {
  const spans: string[] = []
  return text
    .replace(codeSpan, span => `\0${spans.push(span) - 1}\0`)
    .replace(inline, (_, image: string, label: string, target: string, rest: string) => {
      const replaced = replace(target)
      return replaced === undefined ? label : `${image}[${label}](${replaced}${rest})`
    })
    .replace(htmlImage, (_, start: string, target: string) => `${start}${replace(target) ?? target}"`)
    .replace(/\0(\d+)\0/g, (_, index: string) => spans[Number(index)] ?? '')
}
