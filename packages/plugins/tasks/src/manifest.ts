import type { Manifest } from '@sibyl/plugin'

const remind = { remind: true }

export const manifest: Manifest = {
  title: 'Tasks',
  summary: 'Runs tasks later, once or on a schedule, and reports the results.',
  whenToUse: [
    'something should be done later, at a time, or repeatedly',
    'someone wants to be reminded of something',
    'someone asks about, pauses or cancels such tasks',
  ],
  whenNotToUse: [
    'something should be remembered, without a time (memory)',
    'a message should be sent now (sms, matrix)',
  ],
  load: 'on-demand',
  tags: ['reminder', 'schedule', 'cron', 'later'],
  examples: [
    {
      user: ['Remind me to {what} every day at {time}', 'Remind me every day at {time} to {what}'],
      tool: 'create_task',
      args: { what: '{what}', when: { every: 'day', time: '{time}' }, ...remind },
      answer: '{summary}',
    },
    {
      user: ['Remind me in {minutes} minutes to {what}', 'Remind me to {what} in {minutes} minutes'],
      tool: 'create_task',
      args: { what: '{what}', when: { inMinutes: '{minutes}' }, ...remind },
      answer: '{summary}',
    },
    {
      user: 'Every day at {time} {what}',
      tool: 'create_task',
      args: { what: '{what}', when: { every: 'day', time: '{time}' } },
      answer: '{summary}',
    },
    {
      user: ['Every {weekday} at {time} {what}', 'Every week on {weekday} at {time} {what}'],
      tool: 'create_task',
      args: { what: '{what}', when: { every: 'week', on: '{weekday}', time: '{time}' } },
      answer: '{summary}',
    },
    {
      user: [
        'Every {weekday} at {time} {what} and tell the room {room}',
        'Every week on {weekday} at {time} {what} and tell the room {room}',
      ],
      tool: 'create_task',
      args: {
        what: '{what}',
        when: { every: 'week', on: '{weekday}', time: '{time}' },
        deliver: { matrix: '{room}' },
      },
      answer: '{summary}',
    },
    {
      user: 'In {minutes} minutes {what}',
      tool: 'create_task',
      args: { what: '{what}', when: { inMinutes: '{minutes}' } },
      answer: '{summary}',
    },
    {
      user: 'Preview a task for every day at {time} to {what}',
      tool: 'preview_task',
      args: { what: '{what}', when: { every: 'day', time: '{time}' } },
      answer: '{summary}',
    },
    { user: ['What tasks do I have?', 'List my tasks'], tool: 'list_tasks', args: {}, answer: '{summary}' },
    { user: 'Cancel task {id}', tool: 'cancel_task', args: { id: '{id}' }, answer: '{summary}' },
    { user: 'Pause task {id}', tool: 'pause_task', args: { id: '{id}' }, answer: '{summary}' },
    { user: 'Resume task {id}', tool: 'resume_task', args: { id: '{id}' }, answer: '{summary}' },
  ],
}
