import type { Manifest } from '@sibyl/plugin'

export const manifest: Manifest = {
  title: 'Memory',
  summary: 'Remembers facts that users state, and finds them again.',
  whenToUse: [
    'someone wants something remembered, or states something lasting about themselves',
    'someone asks what is remembered about them, or wants it forgotten',
  ],
  whenNotToUse: ['entities in the registry, files, and preferences for answers'],
  load: 'always',
  tags: ['facts'],
  examples: [
    {
      user: ['Remember that {text}', 'Remember: {text}', 'Please remember that {text}', 'Keep in mind that {text}'],
      tool: 'remember',
      args: { text: '{text}' },
      answer: '{summary}',
    },
    {
      user: [
        'What do you know about {query}?',
        'What do you remember about {query}?',
        'Do you remember {query}?',
        'Recall {query}',
      ],
      tool: 'recall',
      args: { query: '{query}' },
      answer: '{summary}\n{facts.text}',
    },
    { user: ['Forget {id}', 'Forget the fact {id}'], tool: 'forget', args: { id: '{id}' }, answer: 'Forgotten: {id}.' },
  ],
}
