import { readFileSync } from 'node:fs'
import { codeBlocks, shownCommands } from './code-blocks.ts'
import { outputViolation } from './compare-output.ts'
import { Workspace } from './workspace.ts'

/**
 * Does what a page of the guide says, word for word, from top to bottom, in a workspace of its own: blocks with a path
 * are files, `console` blocks are commands with the output that they show. A command that shows `[boot-error]` or `sibyl:`
 * must fail, all others must not.
 *
 * @param folder The folder of the workspace; created.
 * @param port The port of the oracle on the page, 3000 by default.
 * @param project A folder of `makeProject`, for a page that begins in a project.
 * @returns One sentence for each error, with the line of the page.
 */
export const followPage = async (page: URL, folder: string, port?: number, project?: string): Promise<string[]> => {
  const workspace = await Workspace.open(folder, port, project)
  const violations: string[] = []
  try {
    for (const { language, info, text, line } of codeBlocks(readFileSync(page, 'utf8'))) {
      if (info !== '') workspace.write(info, text)
      if (language !== 'console') continue
      for (const { command, output } of shownCommands(text)) {
        const { end, stdout, stderr } = await workspace.run(command)
        const fails = output.some(shown => /^(\[boot-error\]|sibyl: )/.test(shown))
        if (fails ? end === 0 : end !== 0 && end !== 'running') {
          violations.push(`Line ${line}: ${command} ended with ${end}:\n${stdout}${stderr}`)
        }
        const violation = output.length > 0 ? outputViolation(output, stderr + stdout) : undefined
        if (violation) violations.push(`Line ${line}: ${command}: ${violation}`)
      }
    }
  } finally {
    await workspace.close()
  }
  return violations
}
