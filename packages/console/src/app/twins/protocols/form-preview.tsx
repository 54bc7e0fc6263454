import { Checkbox, Fieldset, NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core'
import type { PropertyRule } from '@sibyl/protocol'
import { useTranslation } from 'react-i18next'
import { Note } from '../../components/note.tsx'
import type { Field } from './protocol-draft.ts'

/** The form that the fields describe, to try it; nothing is sent. */
export const FormPreview = ({ label, fields }: { readonly label: string; readonly fields: readonly Field[] }) => {
  const { t } = useTranslation('twins')
  return (
    <Fieldset legend={label} variant="default">
      {fields.length === 0 ? (
        <Note>{t('protocols.noFields')}</Note>
      ) : (
        <Stack gap="xs">
          {fields.map(({ id, name, rule }) => (
            <PreviewInput key={`${id} ${rule.type}`} name={name} rule={rule} depth={0} />
          ))}
        </Stack>
      )}
    </Fieldset>
  )
}

const deepest = 4

const PreviewInput = ({
  name,
  rule,
  depth,
}: {
  readonly name: string
  readonly rule: PropertyRule
  readonly depth: number
}) => {
  const { description, required = false, unit } = rule
  const common = { label: name, size: 'xs' as const, required, ...(description ? { description } : {}) }
  if (rule.enum !== undefined && rule.type !== 'boolean')
    return <Select {...common} clearable data={[...new Set(rule.enum.map(String))]} />
  switch (rule.type) {
    case 'number':
      return (
        <NumberInput
          {...common}
          {...(unit ? { suffix: ` ${unit}` } : {})}
          {...(rule.minimum === undefined ? {} : { min: rule.minimum })}
          {...(rule.maximum === undefined ? {} : { max: rule.maximum })}
        />
      )
    case 'boolean':
      return <Checkbox size="xs" label={name} description={description} />
    case 'object':
      return (
        <Fieldset legend={name} variant="filled">
          <Stack gap="xs">
            {Object.entries(depth < deepest ? (rule.properties ?? {}) : {}).map(([member, inner]) => (
              <PreviewInput key={member} name={member} rule={inner} depth={depth + 1} />
            ))}
          </Stack>
        </Fieldset>
      )
    case 'array':
      return <Textarea {...common} autosize minRows={2} placeholder="[…]" />
    default:
      return <TextInput {...common} {...(rule.maxLength === undefined ? {} : { maxLength: rule.maxLength })} />
  }
}
