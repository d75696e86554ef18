use climate::apis::auth_api::{issue_token, token_status, IssueTokenParams};
use climate::apis::catalogues_api::{create_stac_catalogue, CreateStacCatalogueParams};
use climate::apis::configuration::Configuration;
use climate::apis::search_api::{
    get_overview, search_data, search_metadata, SearchDataError, SearchDataParams,
    SearchMetadataParams,
};
use climate::apis::user_data_api::{
    add_user_data, delete_user_data, AddUserDataParams, DeleteUserDataParams,
};
use climate::apis::Error;
use climate::models::{UniqKey, UserDataRequest, UserMetadataEntry};
use serde_json::json;
use std::collections::HashMap;
use std::env::var;

fn texts(values: &[&str]) -> Option<Vec<String>> {
    Some(values.iter().map(|value| value.to_string()).collect())
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.is_empty()).collect()
}

/// Parameters of a search, all of which are left out.
macro_rules! search {
    ($type:ident, $flavour:expr) => {
        $type { flavour: $flavour.to_string(), uniq_key: UniqKey::File, ..Default::default() }
    };
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut api = Configuration::new();
    api.base_path = var("SDK_SERVER")?;
    let experiment_id = texts(&["historical"]);
    let variable_id = texts(&["tas", "pr"]);

    let overview = get_overview(&api)?;
    let files = search_data(
        &api,
        SearchDataParams {
            experiment_id: experiment_id.clone(),
            variable_id: variable_id.clone(),
            ..search!(SearchDataParams, "cmip6")
        },
    )?;
    let counts = search_metadata(
        &api,
        SearchMetadataParams {
            experiment_id: experiment_id.clone(),
            variable_id: variable_id.clone(),
            ..search!(SearchMetadataParams, "cmip6")
        },
    )?;
    let archive = create_stac_catalogue(
        &api,
        CreateStacCatalogueParams {
            experiment_id,
            variable_id: variable_id.clone(),
            ..search!(CreateStacCatalogueParams, "cmip6")
        },
    )?
    .bytes()?;
    std::fs::write("stac.zip", &archive)?;

    let first = issue_token(
        &api,
        IssueTokenParams {
            username: Some(var("SDK_USERNAME")?),
            password: Some(var("SDK_PASSWORD")?),
            ..Default::default()
        },
    )?;
    let refresh_token = Some(first.refresh_token.clone());
    let token = issue_token(&api, IssueTokenParams { refresh_token, ..Default::default() })?;
    let mut signed_in = api.clone();
    signed_in.bearer_access_token = Some(token.access_token);
    // The operations name both ways to send a token; it sends what is set for each.
    let status = token_status(&signed_in)?;

    let project = var("SDK_PROJECT")?;
    let kept = format!("{}/kept.nc", var("SDK_FILES")?);
    let gone = format!("{}/deleted.nc", var("SDK_FILES")?);
    let extra: HashMap<String, serde_json::Value> = HashMap::from([
        ("additional_info".into(), json!("bias adjusted: \"äöü\"")),
        ("modle".into(), json!("no misspelling here")),
        ("run".into(), json!({"seed": 7, "ratio": 0.25, "tags": ["a", "b"], "final": true})),
    ]);
    let entry = |file: &str| UserMetadataEntry {
        bbox: Some("-10,30,35,70".into()),
        project: texts(&[&project]),
        model: texts(&["my-model"]),
        extra: Some(extra.clone()),
        ..UserMetadataEntry::new(
            file.into(),
            vec!["tas".into(), "pr".into()],
            "1985 to 1989".into(),
            "mon".into(),
        )
    };
    let user_data_request = UserDataRequest {
        user_metadata: vec![entry(&kept), entry(&gone)],
        facets: Some(HashMap::from([("product".into(), "output".into())])),
    };
    let added = add_user_data(&signed_in, AddUserDataParams { user_data_request })?;
    let mine = || {
        search_data(
            &api,
            SearchDataParams {
                project: texts(&[&project]),
                model: texts(&["my-model"]),
                ..search!(SearchDataParams, "user")
            },
        )
    };
    let found = mine()?;
    let request_body = HashMap::from([("file".to_string(), gone)]);
    let deleted = delete_user_data(&signed_in, DeleteUserDataParams { request_body })?;
    let left = mine()?;

    let refused = search_data(
        &api,
        SearchDataParams {
            time: texts(&["tomorrow"]),
            ..search!(SearchDataParams, "cmip6")
        },
    );
    let problem = match refused {
        Err(Error::ResponseError(response)) => match response.entity {
            // Problems of all statuses have one form: whichever is listed first takes it.
            Some(SearchDataError::Status401(problem) | SearchDataError::Status422(problem)) => {
                problem
            }
            other => panic!("no problem, but {other:?}"),
        },
        other => panic!("it was not refused: {other:?}"),
    };

    let report = json!({
        "flavours": overview.flavours,
        "facets_of_cmip6": overview.attributes["cmip6"],
        "files": lines(&files),
        "total": counts.total_count,
        "variables": counts.facets["variable_id"],
        "archive": archive.len(),
        "email": status.email,
        "renewed": token.refresh_token != first.refresh_token,
        "added": added.status,
        "found": lines(&found),
        "deleted": deleted.status,
        "left": lines(&left),
        "problem": {
            "type": problem.r#type, "status": problem.status,
            "detail": problem.detail, "errors": problem.errors,
        },
    });
    println!("{report}");
    Ok(())
}
