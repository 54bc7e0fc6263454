import { existsSync } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bundledPlugins } from '@sibyl/bundle'
import { coreVersion } from '@sibyl/core'
import { parseJson } from '@sibyl/protocol'
import type { JsonOptions } from '../../command/common-options.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { writeJson } from '../../output/clean-text.ts'
import { stylesFor } from '../../output/styles.ts'
import { detectPackageManager } from '../../package-manager/detect-package-manager.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { installedCore } from '../../project/inspect-project.ts'
import { openProject } from '../../project/open-project.ts'
import { readProjectFile, replaceProjectFile } from '../../project/read-project-file.ts'
import { packageCommands } from '../../scaffold/render/package-commands.ts'
import { pluginSource, pluginTest } from './plugin-files.ts'
import { type PluginNames, pluginNames } from './plugin-names.ts'
import { registerPlugin, registrationOf } from './register-plugin.ts'

const mainFile = 'src/main.ts'

/**
 * Runs `sibyl plugin new`: writes a plugin and its test, and adds it to `src/main.ts`, all or nothing.
 *
 * @throws `usage_invalid` for a name that is invalid or in use, and the errors of project files
 */
export const newPlugin = async (given: string, { json }: JsonOptions, io: CommandIo): Promise<void> => {
  const names = pluginNames(given)
  const { folder } = await openProject(io)
  const files = [`src/plugins/${names.name}.ts`, `src/plugins/${names.name}.test.ts`] as const
  const main = await readProjectFile(join(folder, mainFile))
  await demandFree(names, files, { folder, main })

  const edited = main === undefined ? undefined : registerPlugin(main, names)
  const [source, test] = files
  await writeAll(folder, [
    { path: source, text: pluginSource(names, (await installedCore(folder)) ?? coreVersion) },
    { path: test, text: pluginTest(names) },
    ...(edited === undefined ? [] : [{ path: mainFile, text: edited, before: main }]),
  ])

  const registered = edited !== undefined
  if (json) writeJson(io, { name: names.name, files, registered, ...(registered ? {} : registrationOf(names)) })
  else await report(names, files, { io, folder, registered, hasMain: main !== undefined })
}

const demandFree = async (
  { name, maker }: PluginNames,
  files: readonly string[],
  { folder, main = '' }: { readonly folder: string; readonly main: string | undefined },
): Promise<void> => {
  const other = 'Choose another name.'
  for (const file of files) {
    if (existsSync(join(folder, file))) throw cliErrors.usage_invalid(`${file} already exists.`, other)
  }
  if (bundledPlugins().some(plugin => plugin.name === name)) {
    throw cliErrors.usage_invalid(
      `'${name}' is a bundled plugin.`,
      `${other} sibyl plugin list shows the names in use.`,
    )
  }
  if (new RegExp(`\\b${maker}\\b`).test(main)) {
    throw cliErrors.usage_invalid(`${mainFile} already uses the name ${maker}.`, other)
  }
}

interface PluginFile {
  readonly path: string
  readonly text: string
  readonly before?: string | undefined
}

/** Writes all files, or none. */
const writeAll = async (folder: string, files: readonly PluginFile[]): Promise<void> => {
  const written: PluginFile[] = []
  try {
    for (const file of files) {
      const path = join(folder, file.path)
      await mkdir(dirname(path), { recursive: true })
      const mode = file.before === undefined ? 0o644 : (await stat(path)).mode & 0o777
      await replaceProjectFile(path, file.text, mode)
      written.push(file)
    }
  } catch (error) {
    for (const { path, before } of written) if (before === undefined) await rm(join(folder, path), { force: true })
    throw error
  }
}

interface Report {
  readonly io: CommandIo
  readonly folder: string
  readonly registered: boolean
  readonly hasMain: boolean
}

const report = async (
  names: PluginNames,
  [source, test]: readonly [string, string],
  { io, folder, registered, hasMain }: Report,
): Promise<void> => {
  const { dim } = stylesFor(io.stdout, io.env)
  const { importLine, call } = registrationOf(names)
  const lines = [
    `${dim('wrote')}    ${source}`,
    `${dim('wrote')}    ${test}`,
    ...(registered
      ? [`${dim('changed')}  ${mainFile}`, '']
      : [
          '',
          hasMain
            ? `${mainFile} was restructured. Add to it:`
            : `${mainFile} does not exist. Add to the file that lists the plugins:`,
          '',
          `  ${importLine}`,
          `  plugins: [..., ${call}]`,
          '',
        ]),
  ]
  const manager = await detectPackageManager(join(folder, 'src'), io.env)
  const steps = [
    ...((await hasZod(folder)) ? [] : [`${manager} ${manager === 'npm' ? 'install' : 'add'} zod`]),
    `${manager} test`,
    `${packageCommands(manager).sibyl} chat --once "Ask ${names.title.toLowerCase()} about rain"`,
  ]
  io.stdout.write(`${[...lines, 'Next:', ...steps.map(step => `  ${step}`)].join('\n')}\n`)
}

const hasZod = async (folder: string): Promise<boolean> => {
  const manifest = parseJson((await readProjectFile(join(folder, 'package.json'))) ?? '{}')
  const { dependencies } = (manifest ?? {}) as { dependencies?: Record<string, unknown> }
  return dependencies?.zod !== undefined
}
