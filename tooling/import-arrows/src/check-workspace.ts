import { posix } from 'node:path'
import { isTestFile, type Manifest, type ParsedModule, parseModule, type WorkspacePackage } from '@sibyl/tooling-source'
import { checkImports } from './check-imports.ts'
import { findCycles } from './find-cycles.ts'
import type { Violation } from './violation.ts'

/**
 * Checks the sources of every package: arrows, dependencies, cycles, default exports and module-level state.
 *
 * @param packages All of the workspace, the root among them as folder `.`.
 */
export const checkWorkspace = (packages: readonly WorkspacePackage[]): Violation[] => {
  const root = packages.find(({ folder }) => folder === '.')?.manifest ?? ({ name: 'root' } satisfies Manifest)
  const workspace = { packages: new Map(packages.map(each => [each.manifest.name, each])), root }

  return packages.flatMap(each => {
    const modules = each.files.map(({ path, text }) => ({
      path,
      module: parseModule(text, posix.join(each.folder, path)),
    }))
    return [
      ...modules.flatMap(({ path, module }) => [
        ...checkImports(workspace, each, path, module),
        ...checkStatements(each, path, module),
      ]),
      ...checkCycles(each, modules),
    ]
  })
}

const checkStatements = (from: WorkspacePackage, path: string, module: ParsedModule): Violation[] => {
  const file = posix.join(from.folder, path)
  const defaults = path.endsWith('.config.ts') ? [] : module.defaultExports
  const state = isTestFile(path, from.manifest) ? [] : module.mutableState
  return [
    ...defaults.map(line => ({ file, line, message: 'has a default export. Export it by name.' })),
    ...state.map(line => ({ file, line, message: 'keeps state in the module. Keep it in what a function makes.' })),
  ]
}

const checkCycles = (
  from: WorkspacePackage,
  modules: readonly { path: string; module: ParsedModule }[],
): Violation[] => {
  const imports = new Map(
    modules.map(({ path, module }) => [
      path,
      module.imports
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => posix.join(posix.dirname(path), specifier)),
    ]),
  )
  return findCycles(imports).map(cycle => ({
    file: posix.join(from.folder, cycle[0] as string),
    line: 1,
    message: `is in an import cycle: ${[...cycle, cycle[0]].join(' -> ')}`,
  }))
}
