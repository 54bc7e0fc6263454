import type { CommandIo } from '../../command-io.ts'
import { packageManagers } from '../../scaffold/scaffold-answers.ts'

/**
 * How `sibyl new` was called, to be typed again in front of its arguments: `npm create sibyl --`, of which `create-sibyl` tells
 * in `npm_lifecycle_script`, or `npx sibyl new` of the one that is installed in a project.
 */
export const calledAs = ({ npm_lifecycle_script: script, npm_config_user_agent: agent }: CommandIo['env']): string => {
  const caller = packageManagers.find(name => name === agent?.split('/')[0])
  if (caller === undefined) return 'sibyl new'
  if (script === 'create-sibyl') return caller === 'npm' ? 'npm create sibyl --' : `${caller} create sibyl`
  return caller === 'npm' ? 'npx sibyl new' : `${caller} sibyl new`
}
