import type { ProjectFacts, ProjectFile } from '../project-facts.ts'
import { vendoredPackages } from './render-manifest.ts'

/** Renders what a package manager reads besides `package.json`, where it needs that. */
export const renderManagerFiles = (facts: ProjectFacts): ProjectFile[] => {
  const { packageManager } = facts.answers
  if (packageManager === 'npm') return []
  if (packageManager === 'yarn') {
    return [
      { path: '.yarnrc.yml', content: 'nodeLinker: node-modules\n' },
      // Without it yarn takes the project for a part of one in a folder above.
      { path: 'yarn.lock', content: '' },
    ]
  }
  const content = renderWorkspace(facts)
  return content === '' ? [] : [{ path: 'pnpm-workspace.yaml', content }]
}

const renderWorkspace = ({ answers, packages }: ProjectFacts): string => {
  const vendored = Object.entries(vendoredPackages(packages))
  const overrides = vendored.map(([name, file]) => `  "${name}": "${file}"\n`)
  // What the chain's package brings along prints a notice when it is installed, and pnpm asks whether it may.
  const builds = answers.network === 'devnet' ? '' : 'allowBuilds:\n  protobufjs: false\n'
  return `${overrides.length > 0 ? `overrides:\n${overrides.join('')}` : ''}${builds}`
}
