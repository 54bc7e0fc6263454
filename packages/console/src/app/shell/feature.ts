import type { AnyRoute } from '@tanstack/react-router'
import type { TypeOptions } from 'i18next'
import type { ComponentType } from 'react'
import type { Access } from '../session/access.ts'

/** A part of the console: an entry of the navigation with its routes. */
export interface Feature {
  /** Also the namespace of its messages. */
  readonly name: Exclude<keyof TypeOptions['resources'], 'common' | 'explorer'>
  /** Path of its first view: `/chat`. */
  readonly path: string
  readonly icon: ComponentType<{ readonly size?: number }>
  /** Returns whether the user can use any of its views. */
  isShown(access: Access, isForDevelopers: boolean): boolean
  /** Shown beside its entry in the navigation, such as a count. */
  readonly Badge?: ComponentType
  /** Creates its routes. Their components are loaded when they are opened. */
  routes(root: AnyRoute): AnyRoute[]
}
