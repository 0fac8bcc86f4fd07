import { Navigate, useParams } from 'react-router-dom';

/** The address of one operation by its path: it leads to its dialog over the list. */
export function OperationAddress() {
  const { id = '' } = useParams();
  return <Navigate replace to={`/operations?${new URLSearchParams({ operation: id }).toString()}`} />;
}
