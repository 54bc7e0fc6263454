import type { Mnemonic } from '@sibyl/identity'
import type { Asker } from '../../ask/asker.ts'
import type { CommandIo } from '../../command-io.ts'

const columnWidth = 13

/**
 * Shows the words of a key until the person has written them down: on the terminal's other screen, so that nothing of
 * them can be scrolled back to.
 */
export const revealWords = async (
  name: string,
  words: Mnemonic,
  { io: { stdout }, asker }: { readonly io: CommandIo; readonly asker: Asker },
): Promise<void> => {
  stdout.write('\u001b[?1049h\u001b[2J\u001b[H')
  try {
    stdout.write(`The words of ${name}. Who has them has the key.\n\n`)
    stdout.write(`${grid(words.reveal().split(' '), stdout.columns ?? 80)}\n\n`)
    while (!(await asker.confirm('Written down? Then they go from the screen.'))) {}
  } finally {
    stdout.write('\u001b[2J\u001b[?1049l')
  }
  stdout.write(`The words of ${name} were shown.\n`)
}

const grid = (words: readonly string[], columns: number): string => {
  const inLine = Math.max(1, Math.min(4, Math.floor(columns / columnWidth)))
  const cells = words.map((word, place) => `${String(place + 1).padStart(2)}. ${word}`.padEnd(columnWidth))
  const lines = Array.from({ length: Math.ceil(cells.length / inLine) }, (_, line) =>
    cells
      .slice(line * inLine, (line + 1) * inLine)
      .join('')
      .trimEnd(),
  )
  return lines.join('\n')
}
