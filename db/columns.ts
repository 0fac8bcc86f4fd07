// Functions, because Sequelize keeps and changes the object it is given: every column needs a new one.
import { DataTypes, type ModelAttributeColumnOptions } from 'sequelize';

/** The primary key. Ids are never reused, so that an old link does not open a newer row. */
export const id = () =>
  ({
    type: DataTypes.INTEGER,
    primaryKey: true,
    autoIncrement: true,
  }) satisfies ModelAttributeColumnOptions;

/** Text, not null or nullable. */
export const text = () => ({ type: DataTypes.TEXT, allowNull: false }) satisfies ModelAttributeColumnOptions;
export const optionalText = () => ({ type: DataTypes.TEXT, allowNull: true }) satisfies ModelAttributeColumnOptions;

export const bytes = () => ({ type: DataTypes.BLOB, allowNull: false }) satisfies ModelAttributeColumnOptions;

/** A time as ISO 8601 text in UTC: it sorts as text and is sent unchanged. */
export const time = () => text();
export const optionalTime = () => optionalText();

export const integer = () => ({ type: DataTypes.INTEGER, allowNull: false }) satisfies ModelAttributeColumnOptions;
export const optionalInteger = () =>
  ({ type: DataTypes.INTEGER, allowNull: true }) satisfies ModelAttributeColumnOptions;

/** True or false; stored as 1 and 0. */
export const boolean = () => ({ type: DataTypes.BOOLEAN, allowNull: false }) satisfies ModelAttributeColumnOptions;
export const optionalBoolean = () =>
  ({ type: DataTypes.BOOLEAN, allowNull: true }) satisfies ModelAttributeColumnOptions;

type OnDelete = 'CASCADE' | 'SET NULL' | 'RESTRICT';

/** A reference to a row of another table. */
export const reference = (table: string, onDelete: OnDelete, allowNull = false) =>
  ({
    type: DataTypes.INTEGER,
    allowNull,
    references: { model: table, key: 'id' },
    onDelete,
  }) satisfies ModelAttributeColumnOptions;
