import { parse } from 'yaml'
import { z } from 'zod'

const label = { label: z.string().min(1), description: z.string().optional() }
const field = { id: z.string().regex(/^[\w-]+$/), validations: z.strictObject({ required: z.boolean() }).optional() }

const issueForm = z.strictObject({
  name: z.string().min(1),
  description: z.string().min(1),
  labels: z.array(z.string()).optional(),
  body: z
    .array(
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('markdown'), attributes: z.strictObject({ value: z.string().min(1) }) }),
        z.strictObject({
          type: z.literal('input'),
          ...field,
          attributes: z.strictObject({ ...label, placeholder: z.string().optional() }),
        }),
        z.strictObject({
          type: z.literal('textarea'),
          ...field,
          attributes: z.strictObject({ ...label, placeholder: z.string().optional(), render: z.string().optional() }),
        }),
        z.strictObject({
          type: z.literal('dropdown'),
          ...field,
          attributes: z.strictObject({
            ...label,
            options: z.array(z.string()).min(1),
            multiple: z.boolean().optional(),
          }),
        }),
      ]),
    )
    .refine(body => body.some(({ type }) => type !== 'markdown'), 'has no field')
    .refine(body => {
      const ids = body.flatMap(each => ('id' in each ? [each.id] : []))
      return new Set(ids).size === ids.length
    }, 'has an id twice'),
})

/**
 * Checks an issue form for the members that GitHub accepts.
 *
 * @returns One sentence for each error.
 */
export const checkIssueForm = (file: string, text: string): string[] => {
  const { error } = issueForm.safeParse(parse(text))
  return (error?.issues ?? []).map(({ path, message }) => `${file}: ${path.join('.')} ${message}`)
}
