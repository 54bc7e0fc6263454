import { projectSibyl } from '@sibyl/plugin/host'
import type { PackageManager } from '../../package-manager/detect-package-manager.ts'

export interface PackageCommands {
  readonly install: string
  /** Adds a package, whose name follows. */
  readonly add: string
  /** Runs the script `dev`; so do the others. */
  readonly dev: string
  readonly test: string
  readonly check: string
  readonly start: string
  /** Runs any script of `package.json`. */
  run(script: string): string
  /** Runs the `sibyl` of the project. */
  readonly sibyl: string
}

const scripts = ['dev', 'test', 'check', 'start'] as const

export const packageCommands = (manager: PackageManager): PackageCommands => {
  const script = (name: (typeof scripts)[number]) =>
    manager !== 'npm' || name === 'test' || name === 'start' ? `${manager} ${name}` : `npm run ${name}`
  return {
    install: `${manager} install`,
    add: manager === 'npm' ? 'npm install' : `${manager} add`,
    dev: script('dev'),
    test: script('test'),
    check: script('check'),
    start: script('start'),
    run: name => `${manager}${manager === 'npm' ? ' run' : ''} ${name}`,
    sibyl: projectSibyl(manager),
  }
}
