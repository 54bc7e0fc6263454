import type { Network } from '../../registry/registry-node.ts'
import type { Template } from './template.ts'

/** The package that speaks to a chain. */
const chainPackage = '@sibyl/registry-ixo'

/** Returns the packages of ours that a project depends on by itself: those of its template, and that of its chain. */
export const neededPackages = ({ manifest }: Template, network: Network): string[] => [
  ...Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).filter(name => name.startsWith('@sibyl/')),
  ...(network === 'devnet' ? [] : [chainPackage]),
]
