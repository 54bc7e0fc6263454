import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { openBrowser } from '../../process/open-browser.ts'
import { openProject } from '../../project/open-project.ts'
import { oracleCommand } from '../../project/oracle-command.ts'
import { addressForBrowser, consoleAddress } from '../console/console-address.ts'
import { endRequests } from '../devnet/end-requests.ts'
import type { DevOptions } from './dev-command.ts'
import { type DevView, jsonDevView, textDevView } from './dev-view.ts'
import { Development } from './development.ts'
import { ProjectWatcher } from './project-watcher.ts'

/**
 * A signal this soon after the first one is a duplicate: package managers forward the signals of their process group.
 */
const echoMs = 500

/** Runs `sibyl dev`: runs the oracle of a project and restarts it when its files change, until Ctrl-C. */
export const dev = async (options: DevOptions, io: CommandIo): Promise<ExitCode> => {
  const { folder, entry, serversFile } = await findOracle(io)
  const requests = endRequests(io, echoMs)
  const watcher = await ProjectWatcher.open({ folder, entry, files: [serversFile], now: () => io.now() })
  const view = options.json ? jsonDevView(io.stdout) : textDevView(io)
  const projectIo = { ...io, cwd: folder }
  const development = new Development({
    io: projectIo,
    watcher,
    view: {
      ...view,
      started(url) {
        if (options.json) view.started(url)
        // After the last line of the boot log.
        else void showConsole(url, view, projectIo).then(() => view.started(url))
      },
    },
    output: options.json ? io.stderr : io.stdout,
    port: options.port,
  })
  try {
    return await Promise.race([
      development.run(requests.first).then(() => {
        view.stopped()
        return exitCode.done
      }),
      requests.second.then(() => exitCode.interrupted),
    ])
  } finally {
    development.kill()
    requests.release()
    await watcher.close()
  }
}

const findOracle = async (io: CommandIo) => {
  const project = await openProject(io)
  return {
    folder: project.folder,
    entry: (await oracleCommand(project, io)).entry,
    serversFile: project.setting('MCP_SERVERS_FILE') ?? 'mcp.json',
  }
}

/** Exists once the console of a project was opened on this computer. */
const openedFile = 'node_modules/.cache/sibyl/console-opened'

/** Shows the address of the console of an oracle that started, and opens it at the first start of a project. */
const showConsole = async (
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
