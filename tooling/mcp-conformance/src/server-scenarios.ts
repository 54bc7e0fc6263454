/** The server scenarios that apply to an oracle. */
export const serverScenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-error',
  'tools-call-elicitation',
  'json-schema-2020-12',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'server-sse-multiple-streams',
  'resources-list',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'dns-rebinding-protection',
] as const

/** Why the other server scenarios do not apply. */
export const otherServerScenarios: Readonly<Record<string, string>> = {
  'logging-set-level': 'The oracle sends no log messages to clients.',
  'completion-complete': 'The oracle completes no arguments.',
  'tools-call-image': 'A tool returns JSON; files are resources.',
  'tools-call-audio': 'A tool returns JSON; files are resources.',
  'tools-call-embedded-resource': 'A tool returns JSON; files are resources.',
  'tools-call-mixed-content': 'A tool returns JSON; files are resources.',
  'tools-call-with-logging': 'The oracle sends no log messages to clients.',
  'tools-call-with-progress': 'A tool of a plugin has no progress; `ask_oracle` has.',
  'tools-call-sampling': 'The oracle has its own model.',
  'server-sse-polling': 'A lost response is not sent again; `sibyl/idempotencyKey` makes a repeated call safe.',
  'resources-read-text': 'It reads `test://static-text`; the resources of an oracle are `sibyl://`.',
  'resources-read-binary': 'It reads `test://static-binary`; the resources of an oracle are `sibyl://`.',
  'resources-templates-read': 'It reads `test://template/{id}/data`; the resources of an oracle are `sibyl://`.',
  'resources-subscribe': 'Resources have no subscriptions.',
  'resources-unsubscribe': 'Resources have no subscriptions.',
  'prompts-get-embedded-resource': 'Prompts are the texts of manifests.',
  'prompts-get-with-image': 'Prompts are the texts of manifests.',
}
