export const sms = {
  title: 'SMS',
  description: 'Outgoing SMS. Those that failed in the last two days can be retried.',
  message: 'To and text',
  secret: 'A secret text, which is not shown',
  empty: 'No SMS in this state',
} as const

export const credits = {
  title: 'Credits',
  description: 'What was spent, in UTC days.',
  ledger: 'Ledger as CSV',
  group: 'Sum by',
  by: { person: 'Person', day: 'Day', model: 'Model', tool: 'Tool' },
  period: 'Period',
  periods: { today: 'Today', yesterday: 'Yesterday', week: '7 days', month: '30 days' },
  columns: { credits: 'Credits', turns: 'Turns', tokens: 'Tokens' },
  empty: 'Nothing was spent in this period',
  toolNote: 'Runs at the prices of today; turns and tokens are not included.',
  partial: 'Only the largest sums are shown. Select a shorter period.',
} as const
