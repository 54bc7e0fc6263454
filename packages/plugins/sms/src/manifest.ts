import type { Manifest } from '@sibyl/plugin'

export const manifest: Manifest = {
  title: 'SMS',
  summary: 'Sends SMS to phones, and answers incoming SMS.',
  whenToUse: [
    'someone wants an SMS or text message sent to a phone number',
    'someone asks about sent or received SMS',
    'someone wants to link a phone',
  ],
  whenNotToUse: ['messages in Matrix rooms', 'USSD menus'],
  load: 'on-demand',
  tags: ['phone', 'messages'],
  examples: [
    {
      user: ['Send an SMS to {to}: {text}', 'Text {to}: {text}', 'Send a text message to {to}: {text}'],
      tool: 'send_sms',
      args: { to: '{to}', text: '{text}' },
      answer: '{summary}',
    },
    {
      user: ['Which SMS were sent?', 'Show my SMS', 'List my SMS', 'Was my SMS delivered?'],
      tool: 'list_messages',
      args: {},
      answer: '{summary}\n{messages.text}',
    },
    {
      user: ['Link my phone {to}', 'Link the phone {to}'],
      tool: 'link_phone',
      args: { to: '{to}' },
      answer: '{summary}',
    },
    {
      user: ['The code for {to} is {code}'],
      tool: 'confirm_phone',
      args: { to: '{to}', code: '{code}' },
      answer: '{summary}',
    },
  ],
}
