import { definePlugin } from '@sibyl/core'
import { manifest } from './manifest.ts'
import { skillsEnv } from './skills-env.ts'

/**
 * Instructions for special work, loaded when they are needed.
 *
 * @example
 * await createOracleApp({ config, plugins: [skills()] })
 */
export const skills = () =>
  definePlugin({
    name: 'skills',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: skillsEnv,

    setup: () => ({}),
  })
