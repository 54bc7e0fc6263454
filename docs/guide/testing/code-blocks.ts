/** A fenced block of a Markdown page: ```language info. */
export interface CodeBlock {
  readonly language: string
  /** What follows the language: the path of the file that the block is, or nothing. */
  readonly info: string
  readonly text: string
  /** Of its first line, from 1. */
  readonly line: number
}

/** The fenced blocks of a Markdown page, in order. */
export const codeBlocks = (markdown: string): CodeBlock[] => {
  const blocks: CodeBlock[] = []
  let open: { language: string; info: string; line: number; lines: string[] } | undefined
  markdown.split('\n').forEach((text, index) => {
    const fence = /^```(\S*) *(.*)$/.exec(text)
    if (!fence) open?.lines.push(text)
    else if (!open) open = { language: fence[1] ?? '', info: fence[2] ?? '', line: index + 2, lines: [] }
    else {
      const { lines, ...block } = open
      blocks.push({ ...block, text: lines.map(line => `${line}\n`).join('') })
      open = undefined
    }
  })
  return blocks
}

/** One command of a console block, with the output that the page shows for it. */
export interface ShownCommand {
  readonly command: string
  readonly output: readonly string[]
}

/** The commands of a console block: lines that begin with `$ `, each with the lines up to the next one. */
export const shownCommands = (text: string): ShownCommand[] =>
  text
    .trimEnd()
    .split(/^\$ /m)
    .slice(1)
    .map(part => {
      const [command = '', ...output] = part.trimEnd().replaceAll('\\\n', '').split('\n')
      return { command, output }
    })
