import type { Sequelize } from 'sequelize';
import { defineCheck, Check } from './Check.ts';
import { defineCloudflareAccount, CloudflareAccount } from './CloudflareAccount.ts';
import { defineDomain, Domain } from './Domain.ts';
import { defineImport, Import } from './Import.ts';
import { defineOperation, Operation } from './Operation.ts';
import { defineProject, Project } from './Project.ts';
import { defineRegistrar, Registrar } from './Registrar.ts';
import { defineServer, Server } from './Server.ts';
import { defineSession, Session } from './Session.ts';
import { defineSetupLink, SetupLink } from './SetupLink.ts';
import { defineTemplate, Template } from './Template.ts';
import { defineUser, User } from './User.ts';

export {
  Check,
  CloudflareAccount,
  Domain,
  Import,
  Operation,
  Project,
  Registrar,
  Server,
  Session,
  SetupLink,
  Template,
  User,
};

/** Ties every model to a connection. Each has its table's columns; test/db/models.test.ts compares them. */
export function defineModels(sequelize: Sequelize): void {
  defineCheck(sequelize);
  defineCloudflareAccount(sequelize);
  defineDomain(sequelize);
  defineImport(sequelize);
  defineOperation(sequelize);
  defineProject(sequelize);
  defineRegistrar(sequelize);
  defineServer(sequelize);
  defineSession(sequelize);
  defineSetupLink(sequelize);
  defineTemplate(sequelize);
  defineUser(sequelize);
}
