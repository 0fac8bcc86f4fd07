import { z } from 'zod';
import { line, message } from '../text.ts';

export const ProjectInput = z.object({ name: line(200).min(1, message('project.name_empty')) });
export type ProjectInput = z.infer<typeof ProjectInput>;

/** Fields of an edit: absent fields stay. */
export const ProjectChange = ProjectInput.extend({ last_reserve: z.enum(['on', 'off']) }).partial();
export type ProjectChange = z.infer<typeof ProjectChange>;

/** A project in a list, with counts of its domains and keywords. */
export interface ProjectView {
  id: number;
  name: string;
  user_login: string;
  main_count: number;
  transfer_count: number;
  blocked_count: number;
  broken_count: number;
  keyword_count: number;
  last_reserve: 'on' | 'off';
  created_at: string;
}
