import { posix } from 'node:path'
import {
  bundledFiles,
  createParser,
  findCycles,
  importGraph,
  type Manifest,
  type ModuleFacts,
  type Parser,
  testFiles,
  type WorkspacePackage,
} from '@sibyl/tooling-source'
import { checkImports, type PackageInWorkspace } from './check-imports.ts'
import { checkLayers, type FolderLayers } from './check-layers.ts'
import { checkThrows, findClasses } from './check-throws.ts'
import type { Violation } from './violation.ts'

/**
 * Checks the sources of every package: dependencies, layers, cycles, default exports,
 * module-level state, and the errors that docstrings name.
 *
 * @param packages All of the workspace, including the root as folder `.`.
 * @param layers The layers of packages and of folders in them, by folder.
 */
export const checkWorkspace = (
  packages: readonly WorkspacePackage[],
  layers: Layers,
  parse: Parser = createParser(),
): Violation[] => {
  const root = packages.find(({ folder }) => folder === '.')?.manifest ?? ({ name: 'root' } satisfies Manifest)
  const byName = new Map(packages.map(each => [each.manifest.name, each]))
  const classes = new Set(packages.flatMap(({ files }) => files.flatMap(({ text }) => findClasses(text))))

  return packages.flatMap(from => {
    const context: PackageInWorkspace = {
      from,
      tests: testFiles(from, parse),
      bundled: bundledFiles(from, parse),
      packages: byName,
      root,
    }
    const modules = from.files.map(({ path, text }) => ({
      path,
      module: parse(text, posix.join(from.folder, path)),
    }))
    return [
      ...modules.flatMap(({ path, module }) => [
        ...checkImports(context, path, module),
        ...checkStatements(context, path, module),
      ]),
      ...layersIn(layers, from).flatMap(([below, declared]) =>
        checkLayers(from.folder, modules, below, declared, context.tests),
      ),
      ...checkCycles(from, modules),
      ...from.files
        .filter(({ path }) => !context.tests.has(path))
        .flatMap(({ path, text }) => checkThrows(posix.join(from.folder, path), text, classes)),
    ]
  })
}

type Layers = Readonly<Record<string, FolderLayers>>

/** Returns the layers of the folders of a package, each folder relative to the package. */
const layersIn = (layers: Layers, { folder }: WorkspacePackage): [below: string, declared: FolderLayers][] =>
  Object.entries(layers)
    .filter(([key]) => key === folder || key.startsWith(`${folder}/src/`))
    .map(([key, declared]) => [key === folder ? 'src' : key.slice(folder.length + 1), declared])

const checkStatements = ({ from, tests }: PackageInWorkspace, path: string, module: ModuleFacts): Violation[] => {
  const file = posix.join(from.folder, path)
  const defaults = /\.config\.[cm]?[jt]s$/.test(path) ? [] : module.defaultExports
  const state = from.folder.startsWith('packages/') && !tests.has(path) ? module.mutableState : []
  return [
    ...defaults.map(line => ({ file, line, message: 'has a default export. Export it by name.' })),
    ...state.map(line => ({ file, line, message: 'keeps state in the module. Keep it in what a function makes.' })),
  ]
}

/** Modules may load each other with `import()`: a command loads its implementation, which imports the types of its options. */
const checkCycles = (
  from: WorkspacePackage,
  modules: readonly { path: string; module: ModuleFacts }[],
): Violation[] => {
  const files = modules.map(({ path, module }) => ({
    path,
    imports: module.imports.filter(({ isDynamic }) => !isDynamic),
  }))
  return findCycles(importGraph(files)).map(cycle => ({
    file: posix.join(from.folder, cycle[0] as string),
    line: 1,
    message: `is in an import cycle: ${[...cycle, cycle[0]].join(' -> ')}`,
  }))
}
