//! What a profile grants without asking. A need that no row grants asks, and an ask that nobody answers denies.

use protocol::{AccessProfile, Requirement, RequirementKind};

/// Each row is one kind of access that a profile simply grants.
const GRANTS: &[(AccessProfile, RequirementKind)] = &[(AccessProfile::Trusted, RequirementKind::ReadInside)];

/// Returns the requirements that a person must approve; none are left when the call may simply run.
pub(crate) fn to_approve(profile: AccessProfile, requirements: &[Requirement]) -> Vec<Requirement> {
    let is_granted = |requirement: &&Requirement| GRANTS.contains(&(profile, requirement.kind));
    requirements.iter().filter(|requirement| !is_granted(requirement)).cloned().collect()
}

/// Whether a call changes nothing, so that it may run beside others of its kind.
pub(crate) fn only_reads(requirements: &[Requirement]) -> bool {
    requirements.iter().all(|requirement| match requirement.kind {
        RequirementKind::ReadInside | RequirementKind::ReadOutside => true,
        RequirementKind::WriteInside | RequirementKind::WriteOutside | RequirementKind::Command => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needs(kinds: &[RequirementKind]) -> Vec<Requirement> {
        kinds.iter().map(|kind| Requirement { kind: *kind, description: format!("{kind:?}") }).collect()
    }

    #[test]
    fn trusted_grants_reading_inside_and_asks_for_everything_else() {
        use RequirementKind::{Command, ReadInside, ReadOutside, WriteInside, WriteOutside};
        let all = needs(&[ReadInside, ReadOutside, WriteInside, WriteOutside, Command]);
        assert_eq!(to_approve(AccessProfile::Trusted, &all), all[1..]);
        assert_eq!(to_approve(AccessProfile::Trusted, &[]), []);
    }
}
