import { hasTestName, parseModule, visitNodes } from '@sibyl/tooling-source'

/** A sentence that a person reads, with a key that is the same in an earlier version of the file. */
export interface Sentence {
  readonly key: string
  readonly text: string
}

/** The first sentences of the docstrings of a module, keyed by the line that follows, and its prose strings, by their order. */
export const sentencesOfModule = (module: string, path: string): { docstrings: Sentence[]; texts: Sentence[] } =>
  hasTestName(path) || path.includes('/testing/')
    ? { docstrings: [], texts: [] }
    : { docstrings: docstringsOf(module), texts: textsOf(module, path) }

/** The paragraphs of a Markdown page, by heading and order; code and tables are skipped. */
export const sentencesOfPage = (markdown: string): Sentence[] => {
  let heading = ''
  const counts = new Map<string, number>()
  return markdown
    .replace(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, '')
    .split(/\n{2,}/)
    .flatMap(paragraph => {
      if (paragraph.startsWith('#')) heading = paragraph
      if (!/^[A-Z*`[]/.test(paragraph)) return []
      const count = (counts.get(heading) ?? 0) + 1
      counts.set(heading, count)
      return [{ key: `${heading} ${count}`, text: firstSentence(paragraph) }]
    })
}

const docstringsOf = (module: string): Sentence[] =>
  [...module.matchAll(/\/\*\*([\s\S]*?)\*\/\s*([^\n]*)/g)].map(({ 1: comment = '', 2: next = '' }) => ({
    key: next.trim(),
    text: firstSentence(comment.replace(/^[ \t]*\*[ \t]?/gm, '').trim()),
  }))

const textsOf = (module: string, path: string): Sentence[] => {
  const found: Sentence[] = []
  visitNodes(parseModule(module, path).tree, node => {
    const isText = (node.type === 'Literal' && typeof node.value === 'string') || node.type === 'TemplateLiteral'
    const text = isText ? module.slice(node.start + 1, (node as unknown as { end: number }).end - 1) : ''
    if (/^[A-Z'$].*[a-z]+ [a-z']+ [a-z]+/.test(text) && text.length < 300) found.push({ key: `${found.length}`, text })
  })
  return found
}

const firstSentence = (text: string): string =>
  (/^[\s\S]*?\.(?=\s|$)/.exec(text.split('\n\n')[0] ?? '')?.[0] ?? text).replace(/\s+/g, ' ').trim()
