import type { Manifest } from '@sibyl/core'

/** What the agent and people learn about the plugin. */
export const manifest: Manifest = {
  title: 'Claims',
  summary:
    'Claims about entities: submitted, evaluated by rules, the agent or a person, disputed, and turned into credentials.',
  whenToUse: ['someone submits, evaluates, disputes or lists claims'],
  whenNotToUse: ['entities themselves, or credentials that were issued'],
  tags: ['claims', 'verification'],
  load: 'on-demand',
}
