import { createMnemonic, type Mnemonic, signingKeyFromMnemonic } from '@sibyl/identity'
import type { EntityCreation } from '@sibyl/plugin-entities/records'
import { safeJson, writeJson } from '../../output/clean-text.ts'
import { formatCount } from '../../output/format.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { oracleEntity } from '../../registry/oracle-entity.ts'
import { planRegistry } from '../../registry/plan-registry.ts'
import { describePlace, type RegistryPlace, shownAddress } from '../../registry/registry-node.ts'
import type { ScaffoldAnswers } from '../../scaffold/answers/scaffold-answers.ts'
import { neededPackages } from '../../scaffold/packages/needed-packages.ts'
import { readTemplate } from '../../scaffold/packages/template.ts'
import type { ScaffoldEffects } from '../../scaffold/scaffold-effects.ts'
import type { TargetFolder } from '../../scaffold/staging/target-folder.ts'

interface DryRun {
  readonly target: TargetFolder
  readonly answers: ScaffoldAnswers
  readonly words: Mnemonic | undefined
  readonly effects: Pick<ScaffoldEffects, 'renderSources' | 'renderSettings'>
  readonly json: boolean
}

/** Placeholder of a key that a run creates. */
const madeKey = 'did:key:(created when the command runs)'

/** Shows the planned registration and files, without effects. */
export const showPlan = async (run: DryRun, io: CommandIo): Promise<void> => {
  const { target, answers, json } = run
  const registration = answers.register ? await plannedRegistration(run, io) : undefined
  const files = await plannedFiles(run)
  const left = target.kind === 'merge' ? files.filter(path => target.entries.includes(path.split('/')[0]!)) : []
  if (json) {
    const { folder, matrixBaseUrl } = answers
    writeJson(io, { dryRun: true, folder, registration: registration ?? null, bot: matrixBaseUrl ?? null, files })
    return
  }
  const print = (line: string) => io.stdout.write(`${line}\n`)
  print('Dry run. The command would do this:')
  if (registration !== undefined) {
    print(`\nRegistered at ${describePlace(registration.at)}:\n`)
    print(safeJson(registration.entity, 2))
  }
  if (answers.matrixBaseUrl !== undefined) print(`\nA messaging bot at ${answers.matrixBaseUrl}.`)
  if (target.kind === 'force') print(`\nMoved aside: ${target.folder}`)
  print(`\n${formatCount(files.length, 'file')} in ${answers.folder}:\n`)
  for (const path of files) print(`  ${path}`)
  if (left.length > 0) print('\nExisting files of these stay unchanged.')
}

const plannedRegistration = async (
  { answers, words }: DryRun,
  io: CommandIo,
): Promise<{ readonly at: RegistryPlace; readonly entity: EntityCreation }> => {
  const { network, registryUrl, rpcUrl, profile, apiUrl, signing } = answers
  const at = await planRegistry(network, io, { registryUrl, rpcUrl })
  const oracleDid = words === undefined ? madeKey : (await signingKeyFromMnemonic(words)).did
  const controller = signing === 'qr' ? 'did:key:(of your phone)' : oracleDid
  return { at: { ...at, url: shownAddress(at) }, entity: oracleEntity({ profile, apiUrl, oracleDid, controller }) }
}

/** Returns the paths without those in `vendor/`, whose packages are known only at run time. */
const plannedFiles = async ({ answers, effects }: DryRun): Promise<readonly string[]> => {
  const names = neededPackages(await readTemplate(answers.template), answers.network)
  const packages = new Map(names.map(name => [name, { fileName: 'planned.tgz', content: new Uint8Array() }]))
  const mnemonic = createMnemonic(24).reveal()
  const settings = effects.renderSettings({ answers, mnemonic, entityDid: undefined, controllers: [], bot: undefined })
  return [...(await effects.renderSources({ answers, packages })), ...settings]
    .map(({ path }) => path)
    .filter(path => !path.startsWith('vendor/'))
    .toSorted()
}
