/** Escapes text so that Markdown shows it unchanged. */
export const escapeMarkdown = (text: string): string =>
  text
    .replaceAll(/[`*]/g, '\\$&')
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replaceAll('](', ']\\(')
    .replaceAll('![', '!\\[')
    .replaceAll(/<(?=[a-z/!])/gi, '\\<')

/** Returns Markdown from outside whose images no client loads automatically. */
export const withoutImages = (markdown: string): string => markdown.replaceAll('![', '!\\[')

/**
 * Escapes the first characters of a paragraph's lines that would form a heading, list, quote, rule, fence or link
 * definition.
 */
export const escapeLineStarts = (text: string): string =>
  text.replaceAll(
    /^(\s*)(#{1,6}(?=\s)|[-+>](?=\s)|~~~|[-=]{3,}\s*$|\[(?=[^\]\n]{1,999}\]:)|\d{1,9}(?=[.)]\s))/gm,
    (_, space, mark: string) => (/^\d/.test(mark) ? `${space}${mark}\\` : `${space}\\${mark}`),
  )

/** Returns inline code, in as many backticks as needed. */
export const codeSpan = (text: string): string => {
  const code = text.replaceAll(/\s+/g, ' ').trim()
  if (code === '') return ''
  const fence = '`'.repeat(longestRun(code) + 1)
  return code.startsWith('`') || code.endsWith('`') ? `${fence} ${code} ${fence}` : `${fence}${code}${fence}`
}

/** Returns a code block, in a fence that its content cannot end. @param language such as `js` */
export const codeBlock = (text: string, language = ''): string => {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}${language}\n${withoutLastLines(text)}\n${fence}`
}

/** A pattern would backtrack at each line break. */
const withoutLastLines = (text: string): string => {
  let end = text.length
  while (text[end - 1] === '\n') end -= 1
  return text.slice(0, end)
}

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)
