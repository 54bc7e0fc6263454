import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonOptions } from '../../command/common-options.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import type { CommandError } from '../../errors/command-error.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { cleanLine, writeJson } from '../../output/clean-text.ts'
import { formatCount } from '../../output/format.ts'
import { Screen } from '../../output/screen.ts'
import { isTerminal, stylesFor } from '../../output/styles.ts'
import { asCalled } from '../../process/called-as.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { explainCrash } from '../../project/explain-crash.ts'
import { openProject } from '../../project/open-project.ts'
import type { Project } from '../../project/project.ts'
import { pluginNames } from './plugin-names.ts'
import type { CheckedPlugin, PluginCheckResult } from './plugin-report.ts'
import { runPluginChecks } from './run-plugin-checks.ts'

const pluginFolder = 'src/plugins'

/**
 * Runs `sibyl plugin check`: runs the standard checks on the plugins of the project.
 *
 * @param given Only this plugin.
 * @throws `usage_invalid` when the project has no such plugin, and the errors of `runPluginChecks`
 */
export const checkPlugins = async (
  given: string | undefined,
  { json }: JsonOptions,
  io: CommandIo,
): Promise<ExitCode> => {
  const project = await openProject(io)
  const all = await pluginFiles(project.folder)
  const asked = given === undefined ? all : [askedFile(given, all)]
  const view = json ? undefined : checkView(io)
  const plugins = asked.length === 0 ? [] : await collect(project, { asked, all }, io, view)
  if (given !== undefined && plugins.length === 0) throw noPlugin(asked[0] ?? '')

  const checks = plugins.flatMap(plugin => plugin.checks)
  const failed = checks.filter(({ ok }) => !ok).length
  if (json) writeJson(io, { plugins, checks: checks.length, failed })
  else view?.end(plugins.length, checks.length, failed)
  return failed === 0 ? exitCode.done : exitCode.failed
}

const collect = async (
  project: Project,
  sources: { readonly asked: readonly string[]; readonly all: readonly string[] },
  io: CommandIo,
  view: ReturnType<typeof checkView> | undefined,
): Promise<CheckedPlugin[]> => {
  const plugins: (CheckedPlugin & { checks: PluginCheckResult[] })[] = []
  const add = (plugin: CheckedPlugin, ...checks: PluginCheckResult[]) => {
    plugins.push({ ...plugin, checks })
    view?.plugin(plugin)
    for (const check of checks) view?.check(check)
  }
  view?.working()
  for await (const report of runPluginChecks(project, sources, io)) {
    if (report.kind === 'plugin') add({ file: report.file, name: report.name, checks: [] })
    if (report.kind === 'not-loaded' && sources.asked.includes(report.file)) {
      const { reason, place } = explainCrash(report.trace, project.folder)
      const problem = place === undefined ? reason : `${place}: ${reason}`
      add({ file: report.file, checks: [] }, { name: 'loads', ok: false, problem })
    }
    if (report.kind === 'check') {
      const { check: name, problem } = report
      const result = {
        name,
        ok: problem === undefined,
        ...(problem === undefined ? {} : { problem: cleanLine(problem) }),
      }
      plugins.at(-1)?.checks.push(result)
      view?.check(result)
    }
  }
  return plugins
}

const pluginFiles = async (folder: string): Promise<string[]> => {
  const files = await readdir(join(folder, pluginFolder)).catch(() => [])
  return files
    .filter(file => /\.[cm]?[jt]s$/.test(file) && !/\.(test|d)\.[cm]?[jt]s$/.test(file))
    .toSorted()
    .map(file => `${pluginFolder}/${file}`)
}

const askedFile = (given: string, files: readonly string[]): string => {
  const { name } = pluginNames(given)
  const found = files.find(file => file.replace(/^.*\/|\.[cm]?[jt]s$/g, '') === name)
  if (found !== undefined) return found
  const others = files.length === 0 ? 'Create one with sibyl plugin new.' : `There are: ${files.join(' ')}`
  throw cliErrors.usage_invalid(`${pluginFolder}/${name}.ts does not exist.`, others)
}

const noPlugin = (file: string): CommandError =>
  cliErrors.usage_invalid(
    `${file} does not export a plugin.`,
    'Export a function that returns the plugin, named like its file: fieldAdvice in field-advice.ts',
  )

/** Shows the progress of the checks. */
const checkView = (io: CommandIo) => {
  const screen = new Screen(io.stdout, isTerminal(io.stdout, io.env))
  const { bold, dim, error } = stylesFor(io.stdout, io.env)
  return {
    working: () => screen.pass(dim('starting the checks …')),
    plugin: ({ name, file }: CheckedPlugin) => {
      screen.line(name === undefined ? bold(file) : `${bold(cleanLine(name))}   ${dim(file)}`)
      screen.pass(dim('  checking …'))
    },
    check: ({ name, ok, problem = '' }: PluginCheckResult) => {
      screen.line(`  ${ok ? dim('ok  ') : error('fail')}  ${name}`)
      if (!ok) screen.line(`        ${problem}`)
      screen.pass(dim('  checking …'))
    },
    end: (plugins: number, checks: number, failed: number) => {
      if (plugins === 0)
        return screen.line(
          asCalled(`There is no plugin in ${pluginFolder}. sibyl plugin new <name> creates one.`, io.env),
        )
      const counted = `${formatCount(plugins, 'plugin')}, ${formatCount(checks, 'check')}`
      screen.line()
      screen.line(failed === 0 ? `${counted}: all passed.` : error(`${counted}: ${failed} failed.`))
    },
  }
}
