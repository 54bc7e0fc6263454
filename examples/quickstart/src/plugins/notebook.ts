import {
  column,
  definePlugin,
  defineTable,
  defineTool,
  personalAbility,
  type TablesOf,
  ToolFailure,
} from '@sibyl/plugin'
import { z } from 'zod'

/** The notes; names of tables and indexes begin with the plugin's. */
const noteTable = defineTable(
  'notebook_notes',
  { id: column.text().primaryKey(), owner: column.text(), text: column.text(), written_at: column.timestamp() },
  { indexes: { notebook_notes_owner: ['owner', 'written_at'] } },
)

type NotebookTables = TablesOf<[typeof noteTable]>

const env = z.object({
  NOTEBOOK_MAX_NOTES: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(100)
    .meta({ description: 'How many notes a person may keep.' }),
})

/** Keeps the notes of each person who talks to the oracle. */
export const notebook = () =>
  definePlugin<typeof env, NotebookTables>({
    name: 'notebook',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: {
      title: 'Notebook',
      summary: "Keeps a person's notes, for that person alone.",
      whenToUse: ['someone wants something written down', 'someone asks what they noted'],
      tags: ['notes'],
      examples: [
        {
          user: [
            'Note that {text}',
            'Note: {text}',
            'Write down that {text}',
            'Write down {text}',
            'Take a note: {text}',
          ],
          tool: 'add_note',
          args: { text: '{text}' },
          answer: 'Noted. That makes {count} in your notebook.',
        },
        {
          user: ['What did I note?', 'Show my notes', 'Read me my notes', "What's in my notebook?"],
          tool: 'list_notes',
          args: {},
          answer: '{summary}',
        },
        {
          user: ['Erase my notes', 'Erase all my notes', 'Delete my notes', 'Empty my notebook'],
          tool: 'erase_notes',
          args: {},
          answer: 'Done: {erased} erased.',
        },
      ],
    },
    env,
    migrations: { '001_notes': noteTable.create },
    setup({ env: { NOTEBOOK_MAX_NOTES: maximum }, storage, clock }) {
      const notesOf = (owner: string) =>
        storage.read
          .selectFrom('notebook_notes')
          .select('text')
          .where('owner', '=', owner)
          .orderBy('written_at')
          .execute()

      return {
        tools: {
          add_note: defineTool({
            description: "Writes a note into the person's notebook.",
            effect: 'write',
            ability: ['notebook/write', personalAbility],
            input: z.object({ text: z.string().trim().min(1).max(1000).describe('The note, in the person’s words') }),
            output: z.object({ count: z.number() }),
            async execute({ text }, { turn, idempotencyKey }) {
              const owner = turn.actor.did
              const { length } = await notesOf(owner)
              if (length >= maximum) throw new ToolFailure(`The notebook is full (${maximum} at most). Erase it first.`)
              const note = { id: idempotencyKey, owner, text, written_at: clock.now() }
              await storage.write(tx => tx.insertInto('notebook_notes').values(note).execute())
              return { count: length + 1 }
            },
          }),
          list_notes: defineTool({
            description: "Reads all notes in the person's notebook, oldest first.",
            effect: 'read',
            ability: ['notebook/read', personalAbility],
            input: z.object({}),
            output: z.object({ notes: z.array(z.string()), summary: z.string() }),
            async execute(_, { turn }) {
              const notes = (await notesOf(turn.actor.did)).map(({ text }) => text)
              const lines = notes.map((text, index) => `${index + 1}. ${text}`)
              return { notes, summary: lines.join('\n') || 'Your notebook is empty.' }
            },
          }),
          erase_notes: defineTool({
            description: "Erases all notes in the person's notebook for good.",
            effect: 'write',
            ability: ['notebook/write', personalAbility],
            approval: 'user',
            describe: () => 'Erase all your notes for good',
            input: z.object({}),
            output: z.object({ erased: z.number() }),
            async execute(_, { turn }) {
              const { numDeletedRows } = await storage.write(tx =>
                tx.deleteFrom('notebook_notes').where('owner', '=', turn.actor.did).executeTakeFirstOrThrow(),
              )
              return { erased: Number(numDeletedRows) }
            },
          }),
        },
      }
    },
  })
