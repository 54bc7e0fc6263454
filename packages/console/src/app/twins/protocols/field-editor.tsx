import {
  ActionIcon,
  Button,
  Checkbox,
  Collapse,
  Group,
  NumberInput,
  Paper,
  Select,
  Stack,
  TextInput,
  Tooltip,
} from '@mantine/core'
import type { PropertyRule } from '@sibyl/protocol'
import { Plus, SlidersHorizontal, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Field, nextId, repeatedNames } from './protocol-draft.ts'

const types = ['string', 'number', 'boolean', 'object', 'array'] as const

/** Edits the fields of a form: name, type, whether it is required, unit and limits. */
export const FieldEditor = ({
  label,
  fields,
  onChange,
}: {
  readonly label: string
  readonly fields: readonly Field[]
  readonly onChange: (fields: readonly Field[]) => void
}) => {
  const { t } = useTranslation('twins')
  const repeated = repeatedNames(fields)
  const add = () => onChange([...fields, { id: nextId(fields), name: freeName(fields), rule: { type: 'string' } }])
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      {fields.map(field => (
        <FieldRow
          key={field.id}
          field={field}
          isRepeated={repeated.has(field.name)}
          onChange={next => onChange(fields.map(one => (one.id === field.id ? next : one)))}
          onRemove={() => onChange(fields.filter(one => one.id !== field.id))}
        />
      ))}
      <Group>
        <Button size="compact-sm" variant="default" leftSection={<Plus size={14} aria-hidden />} onClick={add}>
          {t('protocols.addField')}
        </Button>
      </Group>
    </Stack>
  )
}

const freeName = (fields: readonly Field[]): string => {
  const names = new Set(fields.map(({ name }) => name))
  for (let number = fields.length + 1; ; number += 1) if (!names.has(`field${number}`)) return `field${number}`
}

const namePattern = /^[A-Za-z][\w-]{0,63}$/

const FieldRow = ({
  field,
  isRepeated,
  onChange,
  onRemove,
}: {
  readonly field: Field
  readonly isRepeated: boolean
  readonly onChange: (field: Field) => void
  readonly onRemove: () => void
}) => {
  const { t } = useTranslation('twins')
  const [isOpen, setOpen] = useState(false)
  const { name, rule } = field
  const setRule = (change: { readonly [Member in keyof PropertyRule]?: PropertyRule[Member] | undefined }) =>
    onChange({ ...field, rule: without({ ...rule, ...change }) })
  const nameError = isRepeated
    ? t('protocols.nameRepeated')
    : namePattern.test(name)
      ? undefined
      : t('protocols.nameInvalid')
  return (
    <Paper withBorder p="xs">
      <Group gap="xs" align="flex-start">
        <TextInput
          size="xs"
          label={t('protocols.fieldName')}
          flex="1 1 8rem"
          value={name}
          error={nameError}
          onChange={event => onChange({ ...field, name: event.currentTarget.value })}
        />
        <Select
          size="xs"
          label={t('protocols.fieldType')}
          w="7.5rem"
          allowDeselect={false}
          value={rule.type}
          data={types.map(value => ({ value, label: t(`protocols.types.${value}`) }))}
          onChange={type => onChange({ ...field, rule: ofType(rule, (type ?? 'string') as PropertyRule['type']) })}
        />
        {rule.type === 'number' && (
          <TextInput
            size="xs"
            label={t('protocols.unit')}
            w="5rem"
            maxLength={30}
            value={rule.unit ?? ''}
            onChange={event => setRule({ unit: event.currentTarget.value || undefined })}
          />
        )}
        <Checkbox
          size="xs"
          mt={27}
          label={t('protocols.required')}
          checked={rule.required ?? false}
          onChange={event => setRule({ required: event.currentTarget.checked || undefined })}
        />
        <Group gap={2} mt={22}>
          <Tooltip label={t('protocols.limits')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`${t('protocols.limits')}: ${name}`}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              <SlidersHorizontal size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t('protocols.removeField')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`${t('protocols.removeField')}: ${name}`}
              onClick={onRemove}
            >
              <Trash2 size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Group>
      </Group>
      <Collapse expanded={isOpen}>
        <Group gap="xs" mt="xs" align="flex-start">
          <TextInput
            size="xs"
            label={t('protocols.fieldDescription')}
            flex="1 1 12rem"
            maxLength={500}
            value={rule.description ?? ''}
            onChange={event => setRule({ description: event.currentTarget.value || undefined })}
          />
          {(rule.type === 'string' || rule.type === 'number') && <Choices rule={rule} onChange={setRule} />}
          {rule.type === 'number' && <Range names={['minimum', 'maximum']} rule={rule} onChange={setRule} />}
          {(rule.type === 'string' || rule.type === 'array') && (
            <Range names={['minLength', 'maxLength']} rule={rule} onChange={setRule} />
          )}
        </Group>
      </Collapse>
    </Paper>
  )
}

interface RulePart {
  readonly rule: PropertyRule
  readonly onChange: (change: { readonly [Member in keyof PropertyRule]?: PropertyRule[Member] | undefined }) => void
}

const Choices = ({ rule, onChange }: RulePart) => {
  const { t } = useTranslation('twins')
  const [text, setText] = useState((rule.enum ?? []).join(', '))
  const read = (given: string) => {
    setText(given)
    const values = given.split(',').flatMap(one => (one.trim() === '' ? [] : [one.trim()]))
    const numbers = values.map(Number).filter(Number.isFinite)
    const known = rule.type === 'number' ? [...new Set(numbers)] : [...new Set(values)]
    onChange({ enum: known.length > 0 ? known : undefined })
  }
  return (
    <TextInput
      size="xs"
      label={t('protocols.choices')}
      placeholder={rule.type === 'number' ? '1, 2, 4' : 'wood, lpg'}
      flex="1 1 10rem"
      value={text}
      onChange={event => read(event.currentTarget.value)}
    />
  )
}

const Range = ({
  names,
  rule,
  onChange,
}: RulePart & { readonly names: readonly ('minimum' | 'maximum' | 'minLength' | 'maxLength')[] }) => {
  const { t } = useTranslation('twins')
  return names.map(name => (
    <NumberInput
      key={name}
      size="xs"
      w="6.5rem"
      label={t(`protocols.${name}`)}
      allowDecimal={name === 'minimum' || name === 'maximum'}
      value={rule[name] ?? ''}
      onChange={value => onChange({ [name]: typeof value === 'number' ? value : undefined })}
    />
  ))
}

/** Members that only some types have. */
const ofType = ({ required, description }: PropertyRule, type: PropertyRule['type']): PropertyRule =>
  without({ type, required, description })

const without = (rule: { readonly [Member in keyof PropertyRule]?: PropertyRule[Member] | undefined }): PropertyRule =>
  Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined)) as unknown as PropertyRule
