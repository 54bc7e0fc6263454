import type { Manifest } from '@sibyl/plugin'

export const manifest: Manifest = {
  title: 'Credits',
  summary: 'Prices of turns, and the credit of each user.',
  whenToUse: ['someone asks about their credit or usage'],
  whenNotToUse: ['credentials'],
  load: 'always',
  tags: ['billing', 'balance', 'usage'],
  examples: [
    {
      user: ['What is my balance?', 'How many credits do I have?', 'How much credit do I have left?', 'My credits'],
      tool: 'get_balance',
      args: {},
      answer: '{summary}',
    },
    {
      user: ['What did I use in the last {days} days?', 'My usage of the last {days} days'],
      tool: 'get_usage',
      args: { days: '{days}' },
      answer: '{summary}',
    },
    { user: ['What did I use?', 'Show my usage'], tool: 'get_usage', args: {}, answer: '{summary}' },
  ],
}
