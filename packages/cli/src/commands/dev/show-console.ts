import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CommandIo } from '../../process/command-io.ts'
import { openBrowser } from '../../process/open-browser.ts'
import { openProject } from '../../project/open-project.ts'
import { addressForBrowser, consoleAddress } from '../console/console-address.ts'
import type { DevView } from './dev-view.ts'

/** Exists once the console of a project was opened on this computer. */
const openedFile = 'node_modules/.cache/sibyl/console-opened'

/** Shows the address of the console of an oracle that started, and opens it at the first start of a project. */
export const showConsole = async (
  url: string,
  view: Pick<DevView, 'console' | 'consoleCode'>,
  io: CommandIo,
): Promise<void> => {
  try {
    const { address } = await consoleAddress({ url, token: undefined, asUser: false }, io)
    view.console(address)
    const mark = join(io.cwd, openedFile)
    if (existsSync(mark) || io.stdout.isTTY !== true) return
    mkdirSync(dirname(mark), { recursive: true })
    writeFileSync(mark, '')
    const token = (await openProject(io)).setting('ORACLE_OPERATOR_TOKEN')
    const { address: opened, rest } = addressForBrowser(await consoleAddress({ url, token, asUser: false }, io))
    if ((await openBrowser(opened, io)) && rest !== undefined) view.consoleCode(rest)
  } catch {
    // An oracle without a console: nothing is shown.
  }
}
