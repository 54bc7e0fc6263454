import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Asker } from '../../ask/asker.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import type { CommandError } from '../../errors/command-error.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { listFiles, packingScript } from './find-checkout.ts'

/** The inputs of the packed packages. */
const sources = [
  'packages/**/{package.json,tsconfig.json,README.md}',
  'packages/**/src/**',
  'templates/**/{package.json,src/**}',
  'examples/deploy/{oracle.service,compose.yaml,kubernetes.yaml,Caddyfile}',
  'docs/{guide,reference}/**/*.md',
  'pnpm-{lock,workspace}.yaml',
  'scripts/{bundle-packages,pack-packages}.mjs',
  'tsconfig.base.json',
]

/** Characters of the end of the output of a failed packing that are shown. */
const shownOutput = 2000

/**
 * Packs the packages of a checkout, once for each state of its sources.
 *
 * @param during Shows progress.
 * @returns the folder with the tarballs
 * @throws `packing_failed`
 */
export const packCheckout = async (
  checkout: string,
  env: CommandIo['env'],
  during: Asker['during'],
): Promise<string> => {
  const folder = join(checkout, 'node_modules/.cache/sibyl-packages', await stateOf(checkout))
  if (!existsSync(folder)) {
    await during('Packing the packages of this checkout', step => runScript(checkout, folder, { env, step }))
  }
  return folder
}

/** Returns the names, sizes and times of all sources as one string. */
const stateOf = async (checkout: string): Promise<string> => {
  const hash = createHash('sha256')
  const paths = (await listFiles(checkout, sources)).filter(path => !/^packages\/.*\.test\./.test(path))
  const facts = await Promise.all(paths.map(async path => ({ path, ...(await stat(join(checkout, path))) })))
  for (const { path, size, mtimeMs } of facts) hash.update(`${path}\0${size}\0${mtimeMs}\n`)
  return hash.digest('hex').slice(0, 16)
}

/** The prefix of step names in the output of the script. */
const stepMark = 'step: '

const runScript = (
  checkout: string,
  folder: string,
  { env, step }: { readonly env: CommandIo['env']; readonly step: (text: string) => void },
): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(checkout, packingScript), folder], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', line => {
        if (line.startsWith(stepMark)) step(line.slice(stepMark.length))
        else output = `${output}${line}\n`.slice(-shownOutput)
      })
    }
    child.on('error', reject)
    child.on('close', code => (code === 0 ? resolve() : reject(packingFailed(output.trim()))))
  })

/** @param output The end of the output of the build. */
const packingFailed = (output: string): CommandError =>
  cliErrors.packing_failed(
    `Sibyl's packages could not be packed:\n${output}`,
    'Fix the reported errors, or set SIBYL_PACKAGES to a folder of tarballs.',
  )
