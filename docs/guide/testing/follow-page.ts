import { readFileSync } from 'node:fs'
import { codeBlocks, shownCommands } from './code-blocks.ts'
import { outputFault } from './compare-output.ts'
import { Workspace } from './workspace.ts'

/**
 * Does what a page of the guide says, word for word, from top to bottom, in a workspace of its own: blocks with a path
 * are files, `console` blocks are commands with the output that they show. A command that shows `[boot-error]` or `sibyl:`
 * must fail, all others must not. At the end its programs must have right types.
 *
 * @param known A folder in which workspaces keep what was found out about the packages' types.
 * @returns One sentence a fault, with the line of the page.
 */
export const followPage = async (page: URL, known: string): Promise<string[]> => {
  const workspace = await Workspace.open(known)
  const faults: string[] = []
  let hasPrograms = false
  try {
    for (const { language, info, text, line } of codeBlocks(readFileSync(page, 'utf8'))) {
      if (info !== '') workspace.write(info, text)
      hasPrograms ||= info.endsWith('.ts')
      if (language !== 'console') continue
      for (const { command, output } of shownCommands(text)) {
        const { end, stdout, stderr } = await workspace.run(command)
        const fails = output.some(shown => /^(\[boot-error\]|sibyl: )/.test(shown))
        if (fails ? end === 0 : end !== 0 && end !== 'running') {
          faults.push(`Line ${line}: ${command} ended with ${end}:\n${stdout}${stderr}`)
        }
        const fault = output.length > 0 ? outputFault(output, stderr + stdout) : undefined
        if (fault) faults.push(`Line ${line}: ${command}: ${fault}`)
      }
    }
    if (!hasPrograms) return faults
    const { stdout } = await workspace.run('npx -y pnpm@12 check')
    // The sources of the packages are checked as well, from outside the workspace: they have checks of their own.
    faults.push(...stdout.split('\n').filter(line => /^[^\s.].*error TS/.test(line)))
  } finally {
    await workspace.close()
  }
  return faults
}
