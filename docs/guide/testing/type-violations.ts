import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'
import { codeBlocks } from './code-blocks.ts'
import { prepareWorkspace } from './prepare-workspace.ts'

const root = join(import.meta.dirname, '../../..')

const compilerOptions = {
  composite: false,
  incremental: false,
  tsBuildInfoFile: null,
  declaration: false,
  declarationMap: false,
  emitDeclarationOnly: false,
  noEmit: true,
  rootDir: '/',
  // The declarations of the packages take a quarter of the time of their sources.
  customConditions: [],
}

/**
 * What the compiler finds wrong with the files that pages show, one a line. Each page has a workspace of its own, in which
 * they are as at the end of the page. All are one program, since most of it are the packages, which have checks of their own.
 *
 * @param pages Of those without a program nothing is looked at.
 * @param projects Folders with `examples` that are checked as well.
 */
export const typeViolations = async (pages: readonly URL[], projects: readonly string[]): Promise<string[]> => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sibyl-guide-types-')))
  try {
    for (const [index, page] of pages.entries()) writePrograms(page, join(folder, `page-${index}`))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    const include = [
      'page-*/examples/quickstart',
      'page-*/field-oracle/src',
      ...projects.map(project => join(project, 'examples')),
    ]
    const extended = join(root, 'tsconfig.base.json')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: extended, compilerOptions, include }))
    await compile(root, ['-b'])
    const lines = (await compile(folder, ['-p', folder])).split('\n').filter(line => /^\S.*error TS|^error /.test(line))
    return lines.filter(line => !resolve(folder, line.split('(')[0] ?? '').startsWith(root + sep))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Makes a workspace with the files of a page; none for a page without a program. */
const writePrograms = (page: URL, folder: string): void => {
  const files = codeBlocks(readFileSync(page, 'utf8')).filter(({ info }) => info !== '')
  if (!files.some(({ info }) => info.endsWith('.ts'))) return
  mkdirSync(folder)
  prepareWorkspace(folder)
  const project = join(folder, 'field-oracle')
  cpSync(join(root, 'templates/ussd/src'), join(project, 'src'), { recursive: true })
  symlinkSync(join(folder, 'project/node_modules'), join(project, 'node_modules'))
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  for (const { info, text } of files) {
    const file = join(/^(field-oracle|examples)\//.test(info) ? folder : project, info)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

/** Returns the output of the compiler. Several checkers would check the same types repeatedly. */
const compile = (folder: string, args: readonly string[]) =>
  new Promise<string>((done, refuse) => {
    const command = [join(root, 'node_modules/typescript/bin/tsc'), ...args, '--checkers', '1']
    const env = { ...process.env, GOGC: '400' }
    execFile(process.execPath, command, { cwd: folder, env, maxBuffer: 50_000_000 }, (error, stdout, stderr) => {
      if (error && ![1, 2].includes(Number(error.code))) refuse(new Error(`tsc failed: ${stderr || error.message}`))
      else done(stdout)
    })
  })
