import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

/** Packages are ESM for Node 22 and bundlers, so resolution by Node 10 and by `require` of CommonJS is not checked. */
const checkedResolutions = ['node16-esm', 'bundler']

/**
 * Checks a packed package with publint and are-the-types-wrong, and its manifest for what only works in the workspace.
 *
 * @param {string} file The tarball.
 */
export const checkTarball = async file => {
  const data = readFileSync(file)
  const content = createPackageFromTarballData(new Uint8Array(data))
  const files = content.listFiles()
  const folder = `/node_modules/${content.packageName}`
  const manifest = JSON.parse(content.readFile(`${folder}/package.json`))
  const sizes = { packed: data.length, files: files.length }
  const faults = [...manifestFaults(manifest), ...(await publintFaults(data, manifest)), ...(await typeFaults(content))]
  return { file, manifest, sizes, faults }
}

const manifestFaults = manifest => [
  ...Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies })
    .filter(([, range]) => /^(workspace|catalog|link|file):/.test(range))
    .map(([name, range]) => `depends on '${name}' as '${range}', which no registry resolves.`),
  ...['description', 'license', 'engines'].filter(key => !manifest[key]).map(key => `package.json has no '${key}'.`),
  ...(JSON.stringify(manifest.exports ?? {}).includes('sibyl-source') ? ['exports lead to sources.'] : []),
]

const publintFaults = async (data, manifest) => {
  const tarball = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)
  const { messages } = await publint({ pack: { tarball }, level: 'warning', strict: true })
  return messages.map(message => `publint: ${formatMessage(message, manifest, { color: false })}`)
}

const typeFaults = async content => {
  const result = await checkPackage(content)
  if (!result.types) return ['are-the-types-wrong: there are no types.']
  return result.problems
    .filter(({ resolutionKind }) => resolutionKind === undefined || checkedResolutions.includes(resolutionKind))
    .filter(({ kind }) => kind !== 'CJSResolvesToESM')
    .map(problem => `are-the-types-wrong: ${problem.kind} ${problem.entrypoint ?? problem.fileName ?? ''}`.trim())
}
