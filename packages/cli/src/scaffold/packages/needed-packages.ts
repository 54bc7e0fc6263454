import type { Network } from '../../registry/registry-node.ts'
import type { Template } from './template.ts'

const chainPackage = '@sibyl/registry-ixo'

/** Returns the direct @sibyl dependencies of a project: those of its template, and the chain package. */
export const neededPackages = ({ manifest }: Template, network: Network): string[] => [
  ...Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).filter(name => name.startsWith('@sibyl/')),
  ...(network === 'devnet' ? [] : [chainPackage]),
]
